//! Models with the fields and tables of emitted code.

use std::collections::BTreeMap;

use openapi_bindings_runtime as runtime;
use runtime::{
    Map, Secret, Timestamp, UnknownProperties, UnknownUnion, UnknownValue, UnknownVariant, Upload,
    Value,
};

/// Declares a struct. The brackets contain the entry of each field in its table.
macro_rules! object {
    (
        $name:ident { $($field:ident: $type:ty [$($row:tt)*]),* $(,)? }
        $($additional:ident: $entries:ty [$($additional_row:tt)*])?
    ) => {
        #[derive(Clone, Default)]
        #[non_exhaustive]
        pub struct $name {
            $(pub $field: $type,)*
            $(pub $additional: $entries,)?
            pub(crate) unknown: UnknownProperties,
        }

        object!(@table $name { $($field $($row)*,)* } $($additional $($additional_row)*)?);
    };
    (@table $name:ident $fields:tt) => {
        runtime::internal::object! { $name $fields unknown }
    };
    (@table $name:ident $fields:tt $($additional:tt)+) => {
        runtime::internal::object! { $name $fields additional: $($additional)+ }
    };
}

/// Declares a union. The brackets contain the entry of each variant in its table.
macro_rules! union {
    ($name:ident { $($variant:ident($payload:ty) [$($row:tt)*]),* $(,)? }) => {
        #[derive(Clone)]
        #[non_exhaustive]
        pub enum $name {
            $($variant($payload),)*
            Unknown(UnknownUnion),
        }

        runtime::internal::union! { $name { $($variant = $($row)*),* } }
    };
}

/// Declares a union of values with its rules. The brackets contain what follows a variant in the table.
macro_rules! choice {
    ($name:ident { $($variant:ident($payload:ty) $([$($row:tt)*])?),* $(,)? } $($rules:tt)*) => {
        #[derive(Clone)]
        #[non_exhaustive]
        pub enum $name {
            $($variant($payload),)*
            Unknown(UnknownVariant),
        }

        runtime::internal::choice! { $name { $($variant $($($row)*)?),* } $($rules)* }
    };
}

choice!(
    Source {
        Text(String),
        Card(Card) [writes { "object" = "card" }: as_card, into_card -> Card],
        Bank(Bank) [writes { "object" = "bank" }],
        Ids(Vec<i64>),
        Names(Vec<String>),
    }
    string => Text,
    array => items {
        number => Ids,
        string => Names,
        empty => Ids,
    },
    object => tag "object" {
        "bank" => Bank,
        "card" => Card,
    },
);

object!(Card {
    kind: String [!: "object"],
    digits: i64 [!: "digits"],
    owner: Option<User> [: "owner"],
    backup: Option<Box<Source>> [: "backup"],
});

object!(Common { kind: String [!: "object"], owner: Option<User> [: "owner"] });
object!(Bank { iban: Option<String> [: "iban"] });

choice!(Figure { Circle(Circle), Square(Square), Point(Point), Shifted(Shifted) }
    object => required {
        "radius" => Circle,
        "side" => Square,
        otherwise => fit {
            Point { "x"? },
            Shifted { "by", "x"? },
        },
    },
);

object!(Circle { radius: f64 [!: "radius"], x: Option<i64> [: "x"] });
object!(Square { side: f64 [!: "side"], x: Option<i64> [: "x"] });
object!(Point { x: Option<i64> [: "x"] });
object!(Shifted { by: i64 [!: "by"], x: Option<i64> [: "x"] });

choice!(Amount { Exact(Exact), Range(Range) }
    object => property "value" {
        number => Exact,
        array => Range,
    },
);

object!(Exact { value: i64 [!: "value"] });
object!(Range { value: Vec<i64> [!: "value"] });

object!(Payment {
    id: String [!: "id"],
    note: Option<String> [: "note"],
    source: Option<Source> [: ..],
});

object!(Drawing { x: Option<i64> [: "x"], figure: Option<Figure> [: ..], source: Option<Box<Source>> [: ..] });

// Its unions and the object share properties.
object!(Sketch {
    id: String [!: "id"],
    x: Option<i64> [: "x"],
    figure: Option<Figure> [: ..],
    other: Option<Figure> [: ..],
    sides: Option<Sides> [: ..],
} more: Map []);

// Its unions share a property that only responses have in one of them.
object!(Disc { size: Option<Size> [: ..], radius: Option<Ring> [: ..] });

choice!(Size { Read(ReadRadius) } object => Read,);
choice!(Ring { Radius(Radius) } object => Radius,);

object!(ReadRadius { radius: Option<i64> [: "radius" readonly] });
object!(Radius { radius: Option<i64> [: "radius"] });

object!(Hoop { before: Option<Ring> [: .. readonly], after: Option<Ring> [: ..] });

// Its unions share a tag, and maps of any values.
object!(Wallet { bank: Option<Account> [: ..], card: Option<Limit> [: ..] });

choice!(Account { Bank(Iban) [writes { "object" = "bank" }] }
    object => tag "object" {
        "bank" => Bank,
    },
);
choice!(Limit { Bank(Radius) [writes { "object" = "bank" }] }
    object => tag "object" {
        "bank" => Bank,
    },
);

object!(Iban { iban: Option<String> [: "iban"] });

object!(Stickers { one: Option<Label> [: ..], other: Option<Hidden> [: ..], last: Option<Label> [: ..] });

choice!(Label { Any(Value) } object => Any,);
choice!(Hidden { Any(Secret<Map>) } object => Any,);

union!(Sides { One(i64) ["side"], All(i64) ["sides"] });

// A note without a type has no role.
choice!(Message { Note(Note), Call(Call) [writes { "type" = "call" }] }
    object => tag "type" {
        "call" => Call,
        "message" => tag "role" {
            "developer" | "user" => Note,
            otherwise => Call,
        },
        missing => Note,
    },
);

choice!(Revision { First(Note), Second(Call) }
    object => tag "revision" {
        json "1" => First,
        json "2" => Second,
    },
);

object!(Note { role: Option<String> [: "role"], text: Option<String> [: "text"] });
object!(Call { call: Option<String> [: "call"] });

// Only messages without a type need all properties to be recognized.
choice!(Letter { Note(Note) [writes { "type" = "note" }], Call(Call), Point(Point) }
    object => tag "type" {
        "note" => Note,
        missing => fit {
            Call { "call"? },
            Point { "x"? },
        },
    },
);

// The variants do not describe the tag.
choice!(Signal { Note(Note) [writes { "type" = "note" }], Call(Call) [writes { "type" = "call" }] }
    object => tag "type" {
        "call" => Call,
        "note" => Note,
        missing => required {
            "call" => Call,
            otherwise => Note,
        },
    },
);

// One variant is a union that writes a tag of its own.
choice!(Parcel { Signal(Box<Signal>) [writes { "kind" = "signal" }], Memo(Memo) [writes { "kind" = "memo" }] }
    object => tag "kind" {
        "memo" => Memo,
        "signal" => Signal,
        missing => Signal,
    },
);

choice!(Memo { Note(Note) [writes { "kind" = "note" }] } object => Note,);

// The items of the lists have the tag.
choice!(Messages { Notes(Notes), Calls(Calls) }
    object => property "list" {
        array => items {
            object => tag "type" {
                "call" => Calls,
                "note" => Notes,
            },
        },
    },
);

object!(Notes { list: Vec<Map> [!: "list"] });
object!(Calls { list: Vec<Map> [!: "list"] });

choice!(Radii { Circle(Circle), Named(BTreeMap<String, i64>) }
    object => required {
        "radius" => Circle,
        otherwise => Named,
    },
);

choice!(People { Circle(Circle), Named(BTreeMap<String, User>) }
    object => required {
        "radius" => Circle,
        otherwise => Named,
    },
);

object!(Group { people: Option<People> [: ..] });

// The variant has a union next to its properties, and neither describes the tag.
choice!(Picture { Frame(Frame) [writes { "kind" = "frame" }] } object => tag "kind" { "frame" => Frame },);

// The union next to the properties of the variant reads the tag, too.
choice!(Shelf { Level(Level) [writes { "type" = "call" }] }
    object => tag "type" {
        "call" | "note" => Level,
    },
);

object!(Level { width: Option<i64> [: "width"], signal: Option<Signal> [: ..] });

object!(Frame { width: Option<i64> [: "width"], figure: Option<Figure> [: ..] });

choice!(Choices { Numbers(NumberChoices), Texts(TextChoices) }
    rule 1 => fit {
        Numbers { "choices"? },
        Texts { "choices"?, "note"? null },
    },
    object => property "choices" {
        array => items {
            number => Numbers,
            string => Texts,
            empty | otherwise => rule 1,
        },
        missing => rule 1,
    },
);

object!(NumberChoices { choices: Option<Vec<i64>> [: "choices"] });
object!(TextChoices { choices: Option<Vec<String>> [: "choices"], note: Option<String> [: "note" null] });

choice!(Tree { Leaf(i64), Node(Box<Nodes>) [: * as_node, into_node -> Nodes] }
    number => Leaf,
    object => Node,
);

object!(Nodes { nodes: Vec<Tree> [!: "nodes"] });

choice!(Nested { Texts(Vec<Vec<Vec<String>>>), Numbers(Vec<Vec<Vec<i64>>>) }
    array => items {
        array => items {
            array => items { number => Numbers, string => Texts, empty => Numbers },
            empty => Texts,
        },
        empty => Numbers,
    },
);

choice!(ChoiceLists { Numbers(Vec<NumberChoices>), Texts(Vec<TextChoices>) }
    array => items {
        object => property "choices" { array => items { string => Texts }, missing => Numbers },
    },
);

choice!(Bounds { Texts(TextBounds), Numbers(NumberBounds) }
    object => fit {
        Texts { "from"?: string },
        Numbers { "from"?: boolean | number },
    },
);

choice!(Moment { Time(Time), Words(Words) }
    object => fit {
        Time { "at"?: time | number },
        Words { "at"?: string },
    },
);

choice!(Inclusive { From(Outer), At(Words) }
    object => required {
        "from" => From,
        "at" => At,
    },
    others "at" | "from",
);

choice!(Open { From(Outer), At(Words) }
    object => required {
        "from" => From,
        "at" => At,
    },
    others any,
);

object!(Outer { from: Option<Words> [: "from"] });

object!(Login { name: String [!: "name"], password: String [!: "password" writeonly] });

object!(Time { at: Option<Timestamp> [: "at"] });
object!(Words { at: Option<String> [: "at"] });

object!(TextBounds { from: Option<String> [: "from"] });
object!(NumberBounds { from: Option<i64> [: "from"] });

object!(Page { sources: Vec<Source> [!: "sources"], next: Option<String> [: "next"] });

object!(Task {
    id: String [!: "id" readonly],
    owner: User [!: "owner"],
    actions: Option<Vec<Action>> [: "actions"],
    numeric_id: Option<i64> [: "numericId" as text readonly],
    size: Option<u64> [: "size" as text],
    counts: Option<Vec<i64>> [: "counts" as text],
    totals: Option<BTreeMap<String, u64>> [: "totals" as text],
    data: Option<Map> [: "data"],
    anything: Option<Value> [: "anything"],
    created_at: Option<Timestamp> [: "createdAt"],
    reminders: Option<Vec<Timestamp>> [: "reminders"],
    deadlines: Option<BTreeMap<String, Timestamp>> [: "deadlines"],
    score: Option<f64> [: "score"],
    ratio: Option<f64> [: "ratio"],
    level: Option<i32> [: "level"],
    limit: Option<u32> [: "limit"],
    urgent: Option<bool> [: "urgent"],
    grid: Option<Vec<Vec<f64>>> [: "grid"],
    names: Option<Vec<Option<String>>> [: "names"],
    parent: Option<Box<Task>> [: "parent" nullable],
    children: Option<Vec<Task>> [: "children"],
    kind: Option<Kind> [: ..],
    policy: Option<Policy> [: "policy"],
    policies: Option<Vec<Policy>> [: "policies"],
    token: Option<Secret<String>> [: "token"],
    settings: Option<Secret<Map>> [: "settings"],
    labels: Option<Labels> [: "labels"],
    limits: Option<Limits> [: "limits"],
    window: Option<Window> [: "window"],
});

object!(User {
    name: Option<String> [: "name"],
    seen_at: Option<Timestamp> [: "seenAt" readonly],
});

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Action {
    Close,
    Approve,
    Deny,
    Unknown(UnknownValue),
}

runtime::internal::open_enum! {
    Action {
        Close = "ACTION_CLOSE",
        Approve = "ACTION_APPROVE",
        Deny = "ACTION_DENY",
    }
}

// The flattened union of tasks.
union!(Kind {
    Wait(Wait) ["wait"],
    Run(Box<Task>) ["run"],
    Until(Timestamp) ["until"],
    Times(i64) ["times" as text],
});

// A union that is not flattened.
union!(Policy {
    Manual(Wait) ["manual"],
    Automatic(Map) ["automatic"],
    After(Timestamp) ["after"],
    Before(Timestamp) ["before"],
    On(Vec<Timestamp>) ["on"],
});

object!(Wait {
    duration: Option<String> [: "duration"],
    users: Option<Vec<User>> [: "users"],
});

object!(Dates {} additional_properties: BTreeMap<String, Timestamp> []);

// Its additional properties are free-form, and one of its names needs escapes.
object!(Labels {
    r#type: Option<String> [: "@type"],
    quoted: Option<String> [: "\"\u{1e}"],
} additional_properties: Map []);

// Its additional properties have a type.
object!(Limits {
    until: Option<Timestamp> [: "until"],
} additional_properties: BTreeMap<String, i64> [as text]);

// It has two flattened unions.
object!(Window { open: Option<Opening> [: .. readonly], close: Option<Closing> [: ..] });

union!(Opening {
    At(Timestamp) ["openAt"],
    When(User) ["openWhen"],
    Days(Vec<i64>) ["openDays"],
});

union!(Closing { At(Timestamp) ["closeAt"], Never(User) ["closeNever"] });

// Its tag can come after what is large.
choice!(Feed { Rows(Box<Listing>) [writes { "type" = "rows" }] }
    object => tag "type" {
        "rows" => Rows,
    },
);

object!(Listing {
    rows: Option<Vec<Row>> [: "rows"],
    texts: Option<Vec<String>> [: "texts"],
    numbers: Option<Vec<f64>> [: "numbers"],
    inner: Option<Feed> [: "inner"],
});

object!(Row {
    id: String [!: "id"],
    title: Option<String> [: "title"],
    count: Option<i64> [: "count"],
    ratio: Option<f64> [: "ratio"],
    is_open: Option<bool> [: "isOpen"],
});

choice!(Series { Numbers(Vec<f64>), Texts(Vec<String>) }
    array => items { number => Numbers, string => Texts, empty => Numbers },
);

object!(Stamped { kind: String [!: "object"], at: Timestamp [!: "at"] });
choice!(Stamp { Only(Stamped) [writes { "object" = "s" }] }
    object => tag "object" {
        "s" => Only,
    },
);

// A file, several, or a reference to one.
choice!(Scan { File(Upload), FileList(Vec<Upload>), Bank(Bank) }
    string => File,
    array => FileList,
    object => Bank,
);

object!(Scans {
    one: Option<Scan> [: "one"],
    several: Option<Scan> [: "several"],
    all: Option<Vec<Scan>> [: "all"],
});
