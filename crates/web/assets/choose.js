// @ts-check
// The language of pages without a server: the reader's choice, else the first of the browser's that
// there is. It runs before the page is shown, so that no page is seen in the wrong language.
(() => {
  const root = document.documentElement;
  const languages = ["en", "pl", "ro"];

  /** The address of this page in a language. @param {string} language */
  const inLanguage = (language) => {
    const first = new URL(root.dataset.files || ".", location.href).pathname;
    const page = location.pathname.slice(first.length).replace(/^(pl|ro)(\/|$)/, "");
    return `${first}${language === "en" ? "" : `${language}/`}${page || "index.html"}${location.search}${location.hash}`;
  };

  /** Remembers a choice, and shows the page in it. @param {string} language */
  const choose = (language) => {
    localStorage.setItem("language", language);
    if (language !== root.lang) location.assign(inLanguage(language));
  };

  const known = [localStorage.getItem("language") ?? "", ...navigator.languages];
  const wanted = known.map((tag) => tag.split("-")[0]).find((tag) => languages.includes(tag)) ?? "en";
  if (wanted !== root.lang) location.replace(inLanguage(wanted));
  document.addEventListener("submit", (event) => {
    if (!(event.target instanceof Element) || !event.target.matches(".languages")) return;
    event.preventDefault();
    const by = event.submitter;
    if (by instanceof HTMLButtonElement) choose(by.value);
  });
})();
