//! The tokens of a macro's argument.

/// The tokens in the text that `stringify!` makes of them, in which only white space may differ from the source.
pub(super) struct Tokens {
    pub rest: &'static str,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// An identifier or a number.
    Word(&'static str),
    /// The value of a string literal.
    Text(&'static str),
    Sign(&'static str),
}

impl Tokens {
    /// Takes the first bytes of the rest.
    fn take(&mut self, length: usize) -> &'static str {
        let (taken, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, ""));
        self.rest = rest;
        taken
    }
}

impl Iterator for Tokens {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        self.rest = self.rest.trim_start();
        let first = self.rest.chars().next()?;
        if first == '"' {
            self.take(1);
            let length = end_of_text(self.rest);
            let text = self.take(length);
            self.take(1);
            return Some(Token::Text(unescaped(text)));
        }
        let is_word = |char: char| char.is_alphanumeric() || char == '_';
        let length = self.rest.find(|char| !is_word(char)).unwrap_or(self.rest.len());
        Some(match length {
            0 if self.rest.starts_with("=>") => Token::Sign(self.take(2)),
            0 => Token::Sign(self.take(first.len_utf8())),
            length => Token::Word(self.take(length)),
        })
    }
}

/// Returns the position of the quote that ends a literal.
fn end_of_text(text: &str) -> usize {
    let mut is_escaped = false;
    let end = text.bytes().position(|byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    });
    end.unwrap_or(text.len())
}

/// Returns the value of a string literal. The result is never freed: a table is read once, and is needed until the end.
fn unescaped(text: &'static str) -> &'static str {
    if !text.contains('\\') {
        return text;
    }
    let mut value = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        value.extend(if char == '\\' { escaped(&mut chars) } else { Some(char) });
    }
    value.leak()
}

/// Reads the rest of an escape, as `Debug` writes it.
fn escaped(chars: &mut impl Iterator<Item = char>) -> Option<char> {
    Some(match chars.next()? {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        '0' => '\0',
        'u' => {
            let digits: String = chars.skip(1).take_while(|char| *char != '}').collect();
            char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?
        }
        char => char,
    })
}

#[cfg(test)]
mod tests {
    use super::{Token, Tokens};

    #[test]
    fn literals_have_the_values_that_the_compiler_gives_them() {
        macro_rules! check {
            ($($text:literal)*) => {
                let tokens: Vec<Token> = Tokens { rest: stringify!($($text)*) }.collect();
                assert_eq!(tokens, [$(Token::Text($text)),*]);
            };
        }
        check!("" "a b" "\"" "\\" "\\\"" "\n\r\t\0'\u{1e}\u{10ffff}é" "=> { } // /*");
    }

    #[test]
    fn white_space_makes_no_difference() {
        let expected = [
            Token::Word("tag"),
            Token::Text("a"),
            Token::Sign("{"),
            Token::Word("json"),
            Token::Text("-1"),
            Token::Sign("=>"),
            Token::Word("Größe"),
            Token::Sign("?"),
            Token::Sign("="),
            Token::Sign("}"),
        ];
        for text in ["tag\"a\"{json\"-1\"=>Größe?=}", " tag \"a\"\n{ json \"-1\" => Größe ? = }\n"]
        {
            assert_eq!(Tokens { rest: text }.collect::<Vec<_>>(), expected, "{text}");
        }
    }
}
