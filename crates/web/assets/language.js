// @ts-check
/**
 * Texts for players in the page's language. A text is named by its English form, with places such as
 * `{name}`; one that has no translation stays English. The server gives the texts of other languages
 * before any script runs.
 * @typedef {Record<string, string | number>} TextValues
 */

/** `texts` are those that scripts name, `said` those that come filled in. @type {{texts: Record<string, string>, said: Record<string, string>}} */
const floeTexts = /** @type {any} */ (globalThis).floeTexts ?? { texts: {}, said: {} };
const pageLanguage = document.documentElement.lang;

/** Which form of a text goes with a number, as `Language::form` in crates/language decides. @param {number} n */
function formOf(n) {
  const [tens, ones] = [n % 100, n % 10];
  if (n === 1) return 0;
  if (pageLanguage === "pl") return ones >= 2 && ones <= 4 && !(tens >= 12 && tens <= 14) ? 1 : 2;
  if (pageLanguage === "ro") return n === 0 || (tens >= 1 && tens <= 19) ? 1 : 2;
  return 1;
}

/** @param {string} text @param {TextValues} values */
function filledIn(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/** One of the forms of a translation. @param {string} forms @param {number} form */
function oneForm(forms, form) {
  const all = forms.split(" | ");
  return all[form] ?? all[all.length - 1];
}

/** A text. @param {string} english @param {TextValues} [values] */
export function t(english, values = {}) {
  return filledIn(floeTexts.texts[english] ?? english, values);
}

/** A text that counts `n` things, by its two English forms. @param {string} one @param {string} other @param {number} n @param {TextValues} [values] */
export function count(one, other, n, values = {}) {
  const forms = floeTexts.texts[other];
  const text = forms ? oneForm(forms, formOf(n)) : n === 1 ? one : other;
  return filledIn(text, { n, ...values });
}

/** Texts with places, the most particular first. @type {{match: RegExp, names: string[], text: string}[] | null} */
let saidPatterns = null;

function patternsOfSaid() {
  const letters = (/** @type {string} */ text) => text.replace(/\{\w+\}/g, "").length;
  return Object.keys(floeTexts.said)
    .filter((text) => text.includes("{"))
    .sort((a, b) => letters(b) - letters(a) || (a < b ? -1 : 1))
    .map((text) => {
      const places = [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const source = text
        .split(/\{\w+\}/)
        .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
        .reduce((all, part, i) => `${all}(${places[i - 1] === "n" ? "\\d+" : "[^]+?"})${part}`);
      return { match: new RegExp(`^${source}$`), names: places, text: floeTexts.said[text] };
    });
}

/** @param {string} text @returns {string | undefined} */
function knownSaid(text) {
  const own = floeTexts.said[text];
  if (own !== undefined) return oneForm(own, 0);
  saidPatterns ??= patternsOfSaid();
  for (const { match, names, text: forms } of saidPatterns) {
    const found = match.exec(text);
    if (!found) continue;
    /** @type {TextValues} */ const values = {};
    names.forEach((name, i) => {
      const value = found[i + 1];
      const own = floeTexts.said[value];
      // What a move takes is a counted text itself.
      const known = name === "what" ? knownSaid(value) : own && oneForm(own, 0);
      values[name] = known ?? value;
    });
    return filledIn(oneForm(forms, formOf(Number(values.n ?? 0))), values);
  }
  return undefined;
}

/** A text that is filled in already, as rules and servers say it: a sentence, or several. @param {string} text */
export function translated(text) {
  if (pageLanguage === "en" || !text) return text;
  const isOne = text in floeTexts.said || !text.includes(". ");
  const sentences = isOne ? [text] : text.split(/(?<=\S\.) /);
  return sentences.map((sentence) => knownSaid(sentence) ?? sentence).join(" ");
}
