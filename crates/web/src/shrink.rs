//! Scripts and styles without comments and without white space that no browser needs.
//!
//! Names stay as they are, and lines of scripts stay where a script may rely on them.

/// A script without its comments.
pub(crate) fn script(text: &str) -> String {
    let mut shrunk = Shrunk::new(must_separate_in_scripts);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '/' if rest.starts_with("//") => skip_line(rest),
            '/' if rest.starts_with("/*") => skip_comment(rest),
            '/' if shrunk.begins_a_pattern() => pattern(rest),
            '"' | '\'' => quoted(rest, first),
            '`' => template(rest),
            letter if is_name(letter) => name(rest),
            other => other.len_utf8(),
        };
        let (part, after) = rest.split_at(length);
        match first.is_whitespace() || part.starts_with("//") || part.starts_with("/*") {
            true => shrunk.part(part.contains('\n')),
            false => shrunk.push(part),
        }
        rest = after;
    }
    shrunk.text
}

/// A style sheet without its comments.
pub(crate) fn style(text: &str) -> String {
    let mut shrunk = Shrunk::new(must_separate_in_styles);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '/' if rest.starts_with("/*") => skip_comment(rest),
            '"' | '\'' => quoted(rest, first),
            other => other.len_utf8(),
        };
        let (part, after) = rest.split_at(length);
        match first.is_whitespace() || part.starts_with("/*") {
            true => shrunk.part(false),
            false => {
                // The last semicolon of a block ends nothing.
                if part == "}" && shrunk.text.ends_with(';') {
                    shrunk.text.pop();
                }
                shrunk.push(part);
            }
        }
        rest = after;
    }
    shrunk.text
}

/// What stands between two parts of a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    None,
    Space,
    Line,
}

/// A text that grows by parts, with the gaps that are needed between them.
struct Shrunk {
    text: String,
    gap: Gap,
    /// The gap needed between these two characters, of one that is there.
    needed: fn(char, char, Gap) -> Gap,
}

impl Shrunk {
    fn new(needed: fn(char, char, Gap) -> Gap) -> Shrunk {
        Shrunk {
            text: String::new(),
            gap: Gap::None,
            needed,
        }
    }

    /// White space or a comment.
    fn part(&mut self, is_line: bool) {
        let gap = if is_line { Gap::Line } else { Gap::Space };
        self.gap = self.gap.max(gap);
    }

    fn push(&mut self, part: &str) {
        let ends = (self.text.chars().next_back(), part.chars().next());
        if let (Some(before), Some(after)) = ends
            && self.gap > Gap::None
        {
            match (self.needed)(before, after, self.gap) {
                Gap::None => {}
                Gap::Space => self.text.push(' '),
                Gap::Line => self.text.push('\n'),
            }
        }
        self.gap = Gap::None;
        self.text.push_str(part);
    }

    /// Whether a slash here begins a regular expression: it cannot divide.
    fn begins_a_pattern(&self) -> bool {
        let before = self.text.trim_end();
        let word_at = before
            .rfind(|letter| !is_name(letter))
            .map_or(0, |at| at + 1);
        match before.get(word_at..) {
            Some("return" | "typeof" | "case" | "in" | "of" | "await" | "void") => true,
            Some("") => !before.ends_with([')', ']', '"', '\'', '`']),
            _ => false,
        }
    }
}

/// A line stays unless the statement cannot end there anyway.
fn must_separate_in_scripts(before: char, after: char, gap: Gap) -> Gap {
    if is_name(before) && is_name(after) || gap == Gap::Space && before == after {
        return gap;
    }
    let goes_on = "{([,;:?=&|<.".contains(before) || "}),;:?=&|<.]".contains(after);
    match gap {
        Gap::Line if !goes_on => Gap::Line,
        _ => Gap::None,
    }
}

/// A space before a colon, a bracket or a sign can have a meaning.
fn must_separate_in_styles(before: char, after: char, _: Gap) -> Gap {
    match "{};,:(".contains(before) || "{};,)".contains(after) {
        true => Gap::None,
        false => Gap::Space,
    }
}

fn is_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '$' || letter == '#'
}

/// The length of the name at the start of a text.
fn name(text: &str) -> usize {
    text.find(|letter| !is_name(letter)).unwrap_or(text.len())
}

/// The length of the comment up to the end of its line.
fn skip_line(text: &str) -> usize {
    text.find('\n').unwrap_or(text.len())
}

/// The length of the comment between its signs.
fn skip_comment(text: &str) -> usize {
    text.find("*/").map_or(text.len(), |at| at + 2)
}

/// The length of a string with its quotes.
fn quoted(text: &str, quote: char) -> usize {
    let mut letters = text.char_indices().skip(1);
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => drop(letters.next()),
            letter if letter == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of a regular expression, without its flags.
fn pattern(text: &str) -> usize {
    let mut is_in_class = false;
    let mut letters = text.char_indices().skip(1);
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => drop(letters.next()),
            '[' => is_in_class = true,
            ']' => is_in_class = false,
            '/' if !is_in_class => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of a template with what is filled in, which may have templates in it.
fn template(text: &str) -> usize {
    let mut at = 1;
    while let Some(letter) = text[at..].chars().next() {
        match letter {
            '`' => return at + 1,
            '\\' => at += 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8),
            '$' if text[at..].starts_with("${") => at += 2 + filling(&text[at + 2..]),
            other => at += other.len_utf8(),
        }
    }
    text.len()
}

/// The length of what is filled into a template, with its closing brace.
fn filling(text: &str) -> usize {
    let (mut at, mut depth) = (0, 0);
    while let Some(letter) = text[at..].chars().next() {
        match letter {
            '}' if depth == 0 => return at + 1,
            '"' | '\'' => at += quoted(&text[at..], letter),
            '`' => at += template(&text[at..]),
            other => {
                depth += i32::from(other == '{') - i32::from(other == '}');
                at += other.len_utf8();
            }
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_needless_space_go() {
        for (text, shrunk) in [
            ("// @ts-check\nlet a = 1;\n", "let a=1;"),
            ("/** @type {A} */ (b).c = d;", "(b).c=d;"),
            ("a();\n\n  // why\n  b();\n", "a();b();"),
            (
                "if (a) {\n  return b;\n}\nelse c();",
                "if(a){return b;}\nelse c();",
            ),
            ("const a = x\n  .map((y) => y);", "const a=x.map((y)=>y);"),
        ] {
            assert_eq!(script(text), shrunk);
        }
    }

    #[test]
    fn what_a_script_means_stays() {
        for text in [
            "a=b+ +c;",
            "a=b/c/d;",
            "\"// no /* comment */\"",
            "'it\\'s  // here'",
            "`a  ${b(\"}\",`//  ${c}`)}  // d`",
            "x=/[/\"]  \\/\\//g;",
            "return/'  /",
            "a\n(b)",
            "a\n++b",
            "function(){}\nb",
            "#own in other",
        ] {
            assert_eq!(script(text), text);
        }
    }

    #[test]
    fn styles_keep_the_spaces_between_selectors_and_values() {
        for (text, shrunk) in [
            (
                "/* a */\na :hover > b {\n  margin: 0 1px;\n}\n",
                "a :hover > b{margin:0 1px}",
            ),
            (
                "@media (max-width: 9px) {\n  a,\n  b {\n    c: d;\n  }\n}",
                "@media (max-width:9px){a,b{c:d}}",
            ),
            (
                "a { width: calc(1px + (2px - 1px)); }",
                "a{width:calc(1px + (2px - 1px))}",
            ),
            (
                "a::before { content: \"  /* ;} \"; }",
                "a::before{content:\"  /* ;} \"}",
            ),
        ] {
            assert_eq!(style(text), shrunk);
        }
    }
}
