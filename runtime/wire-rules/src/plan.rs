//! The rules of a union as emitted code writes them.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::iter::Peekable;
use std::mem;

use serde_json::Value;

use crate::rules::{Candidate, JsonKind, Kinds, Rule, RuleId, Rules};
use crate::tokens::{Token, Tokens};

/// The rules of a union, and what else they say of objects.
#[derive(Debug)]
pub struct Plan {
    pub rules: Rules,
    /// The properties that the rules for objects are about.
    pub names: HashSet<&'static str>,
    /// The properties that the variants may have without describing them.
    pub others: HashSet<&'static str>,
    /// Whether any other property is described.
    pub is_open: bool,
}

impl Plan {
    /// Reads the rules of a union with these variants.
    pub fn read(rules: &'static str, variants: impl IntoIterator<Item = &'static str>) -> Self {
        let indices = variants.into_iter().enumerate().map(|(index, name)| (name, index));
        let mut reader = RowReader::new(rules, indices.collect());
        reader.table();
        let RowReader { rules, names, others, is_open, .. } = reader;
        Self { rules, names, others, is_open }
    }
}

/// Reads the properties that a variant writes: `"name" = "constant"`.
pub fn tags(text: &'static str) -> Vec<(&'static str, Value)> {
    let mut reader = RowReader::new(text, HashMap::new());
    let mut tags = Vec::new();
    while let Some(name) = reader.text() {
        reader.sign("=");
        tags.extend(reader.constant().map(|value| (name, value)));
        reader.sign(",");
    }
    tags
}

/// Reads a table. Only the generator writes tables: what is no table is read as nothing.
struct RowReader {
    tokens: Peekable<Tokens>,
    indices: HashMap<&'static str, usize>,
    rules: Rules,
    /// The rules that several others lead to, with the properties that they are about.
    shared: HashMap<&'static str, (RuleId, HashSet<&'static str>)>,
    /// The properties of objects, not of items, that the rules are about.
    names: HashSet<&'static str>,
    /// The properties that the variants may have without a description.
    others: HashSet<&'static str>,
    is_open: bool,
}

impl RowReader {
    fn new(text: &'static str, indices: HashMap<&'static str, usize>) -> Self {
        Self {
            tokens: Tokens { rest: text }.peekable(),
            indices,
            rules: Rules::default(),
            shared: HashMap::new(),
            names: HashSet::new(),
            others: HashSet::new(),
            is_open: false,
        }
    }

    /// Reads the shared rules, those for kinds, and the other properties.
    fn table(&mut self) {
        let mut kinds = Kinds::default();
        let mut names = HashSet::new();
        while let Some(word) = self.word() {
            if word == "rule" {
                let label = self.word().unwrap_or_default();
                let rule = self.arm();
                self.shared.insert(label, (rule, mem::take(&mut self.names)));
            } else if word == "others" {
                self.is_open = self.keyword("any");
                while let Some(name) = self.text() {
                    self.others.insert(name);
                    self.sign("|");
                }
            } else {
                self.arm_of_words(word, |word, rule| kinds.set(word, rule));
                names.extend(mem::take(&mut self.names));
            }
            self.sign(",");
        }
        self.names = names;
        self.rules.kinds = kinds;
    }

    /// Reads an arm with several words, after the first of them: `string | number => Text`.
    fn arm_of_words(&mut self, first: &'static str, mut set: impl FnMut(&str, RuleId)) {
        let mut words = vec![first];
        while self.sign("|") {
            words.extend(self.word());
        }
        let rule = self.arm();
        for word in words {
            set(word, rule);
        }
    }

    /// Reads what an arm leads to.
    fn arm(&mut self) -> RuleId {
        self.sign("=>");
        self.rule()
    }

    fn rule(&mut self) -> RuleId {
        let Some(word) = self.word() else { return RuleId::default() };
        let rule = match word {
            "tag" => self.tag(),
            "required" => self.required(),
            "property" => self.property(),
            "items" | "within" => self.items(),
            "fit" => Rule::Fit(self.candidates()),
            "rule" => {
                let label = self.word().unwrap_or_default();
                let Some((rule, names)) = self.shared.get(label) else { return RuleId::default() };
                self.names.extend(names);
                return *rule;
            }
            variant => match self.indices.get(variant) {
                Some(index) => Rule::Variant(*index),
                None => Rule::Unknown,
            },
        };
        self.rules.add(rule)
    }

    fn tag(&mut self) -> Rule {
        let name = self.property_name();
        let mut texts = BTreeMap::new();
        let mut others = Vec::new();
        let mut otherwise = RuleId::default();
        let mut missing = RuleId::default();
        self.block(|reader| match reader.tokens.peek() {
            Some(Token::Word("otherwise")) => otherwise = reader.named_arm(),
            Some(Token::Word("missing")) => missing = reader.named_arm(),
            _ => {
                let values = reader.constants();
                let rule = reader.arm();
                for value in values {
                    match value {
                        Value::String(text) => drop(texts.insert(text, rule)),
                        value => others.push((value, rule)),
                    }
                }
            }
        });
        Rule::Tag { name, texts, others, otherwise, missing }
    }

    fn required(&mut self) -> Rule {
        let mut properties = Vec::new();
        let mut otherwise = RuleId::default();
        self.block(|reader| {
            if let Some(Token::Word(_)) = reader.tokens.peek() {
                otherwise = reader.named_arm();
            } else {
                let name = reader.property_name();
                properties.push((name, reader.arm()));
            }
        });
        Rule::Required { properties, otherwise }
    }

    fn property(&mut self) -> Rule {
        let name = self.property_name();
        let mut kinds = Kinds::default();
        let mut missing = RuleId::default();
        self.block(|reader| {
            let Some(word) = reader.word() else { return };
            reader.arm_of_words(word, |word, rule| match word {
                "missing" => missing = rule,
                kind => kinds.set(kind, rule),
            });
        });
        Rule::Property { name, kinds, missing }
    }

    fn items(&mut self) -> Rule {
        let mut kinds = Kinds::default();
        let mut empty = RuleId::default();
        let mut otherwise = RuleId::default();
        self.block(|reader| {
            let Some(word) = reader.word() else { return };
            let mut is_of_item = false;
            let names = reader.names.clone();
            reader.arm_of_words(word, |word, rule| match word {
                "empty" => empty = rule,
                "otherwise" => otherwise = rule,
                kind => {
                    is_of_item = true;
                    kinds.set(kind, rule);
                }
            });
            // Properties of items and inner objects are not those of the object that contains them.
            if is_of_item {
                reader.names = names;
            }
        });
        Rule::Items { kinds, empty, otherwise }
    }

    fn candidates(&mut self) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        self.block(|reader| {
            let variant = reader.word().and_then(|name| reader.indices.get(name));
            let mut candidate = Candidate {
                variant: variant.copied().unwrap_or(usize::MAX),
                ..Candidate::default()
            };
            reader.block(|reader| reader.property_of(&mut candidate));
            candidate.is_closed = reader.keyword("closed");
            candidates.push(candidate);
        });
        candidates
    }

    /// Reads a property of a candidate: `"name"? null: string | number = "constant"`.
    fn property_of(&mut self, candidate: &mut Candidate) {
        let name = self.property_name();
        candidate.declared.push(name);
        if !self.sign("?") {
            candidate.required.push(name);
        }
        if self.keyword("null") {
            candidate.nullable.push(name);
        }
        if self.sign(":") {
            let mut kinds = Vec::new();
            loop {
                kinds.extend(self.word().and_then(JsonKind::named));
                if !self.sign("|") {
                    break;
                }
            }
            candidate.kinds.push((name, kinds));
        }
        if self.sign("=") {
            candidate.fixed.push((name, self.constants()));
        }
    }

    fn constants(&mut self) -> Vec<Value> {
        let mut constants = Vec::new();
        loop {
            constants.extend(self.constant());
            if !self.sign("|") {
                return constants;
            }
        }
    }

    /// Reads a constant: a text, or `json` and another value.
    fn constant(&mut self) -> Option<Value> {
        if self.keyword("json") {
            let json = self.text()?;
            return Some(serde_json::from_str(json).unwrap_or_default());
        }
        self.text().map(Value::from)
    }

    /// Reads the entries of a block. Each step of `entry` reads at least a token, or the block ends.
    fn block(&mut self, mut entry: impl FnMut(&mut Self)) {
        self.sign("{");
        while !self.sign("}") && self.tokens.peek().is_some() {
            entry(self);
            if !self.sign(",") && self.tokens.peek() != Some(&Token::Sign("}")) {
                self.tokens.next();
            }
        }
    }

    /// Reads an arm with a keyword.
    fn named_arm(&mut self) -> RuleId {
        self.tokens.next();
        self.arm()
    }

    /// Reads the name of a property that the rules are about.
    fn property_name(&mut self) -> &'static str {
        let name = self.text().unwrap_or_default();
        self.names.insert(name);
        name
    }

    fn word(&mut self) -> Option<&'static str> {
        match self.tokens.next_if(|token| matches!(token, Token::Word(_)))? {
            Token::Word(word) => Some(word),
            _ => None,
        }
    }

    fn text(&mut self) -> Option<&'static str> {
        match self.tokens.next_if(|token| matches!(token, Token::Text(_)))? {
            Token::Text(text) => Some(text),
            _ => None,
        }
    }

    fn keyword(&mut self, word: &'static str) -> bool {
        self.tokens.next_if_eq(&Token::Word(word)).is_some()
    }

    fn sign(&mut self, sign: &'static str) -> bool {
        self.tokens.next_if_eq(&Token::Sign(sign)).is_some()
    }
}
