//! Options, boxes, lists and dictionaries.

use std::collections::BTreeMap;

use crate::wire::reflect::as_text::AsText;
use crate::wire::reflect::wire::{Array, Dictionary, Fields, FieldsMut, Target, View, Wire};
use crate::wire::value::Map;

impl<T: Wire + Default> Wire for Option<T> {
    fn target(&mut self) -> Target<'_> {
        self.get_or_insert_with(T::default).target()
    }

    fn view(&self) -> View<'_> {
        self.as_ref().map_or(View::Absent, T::view)
    }

    fn fields<'a>(&'a self, visit: Fields<'_, 'a>) {
        if let Some(value) = self {
            value.fields(visit);
        }
    }

    fn fields_mut(&mut self, visit: FieldsMut<'_>) {
        if let Some(value) = self {
            value.fields_mut(visit);
        }
    }

    fn is_option(&self) -> bool {
        true
    }

    fn null(&mut self) -> bool {
        *self = None;
        true
    }

    fn clear(&mut self) {
        *self = None;
    }
}

/// Implements [`Wire`] by the value within.
macro_rules! wrapper {
    ($type:ty, $value:ident => $inner:expr, $is_text:literal) => {
        impl<T: Wire> Wire for $type {
            fn target(&mut self) -> Target<'_> {
                let $value = self;
                $inner.target()
            }

            fn view(&self) -> View<'_> {
                let $value = self;
                $inner.view()
            }

            fn fields<'a>(&'a self, visit: Fields<'_, 'a>) {
                let $value = self;
                $inner.fields(visit);
            }

            fn fields_mut(&mut self, visit: FieldsMut<'_>) {
                let $value = self;
                $inner.fields_mut(visit);
            }

            fn is_option(&self) -> bool {
                let $value = self;
                $inner.is_option()
            }

            fn is_text(&self) -> bool {
                $is_text
            }

            fn null(&mut self) -> bool {
                let $value = self;
                $inner.null()
            }

            fn clear(&mut self) {
                let $value = self;
                $inner.clear();
            }
        }
    };
}

wrapper!(Box<T>, value => (**value), false);
wrapper!(AsText<T>, value => value.0, true);

impl<T: Wire + Default> Wire for Vec<T> {
    fn target(&mut self) -> Target<'_> {
        Target::Array(self)
    }

    fn view(&self) -> View<'_> {
        View::Array(self)
    }

    fn clear(&mut self) {
        self.clear();
    }
}

impl<T: Wire + Default> Array for Vec<T> {
    fn len(&self) -> usize {
        self.len()
    }

    fn get(&self, index: usize) -> Option<&dyn Wire> {
        self.as_slice().get(index).map(|element| element as &dyn Wire)
    }

    fn push(&mut self) -> &mut dyn Wire {
        let index = self.len();
        self.push(T::default());
        &mut self[index]
    }

    fn pop(&mut self) {
        self.pop();
    }
}

/// Implements [`Wire`] and [`Dictionary`] for a map.
macro_rules! dictionary {
    ($type:ty, $free_form:expr, $($generics:tt)*) => {
        impl $($generics)* Wire for $type {
            fn target(&mut self) -> Target<'_> {
                Target::Dictionary(self)
            }

            fn view(&self) -> View<'_> {
                View::Dictionary(self)
            }

            fn clear(&mut self) {
                self.clear();
            }
        }

        impl $($generics)* Dictionary for $type {
            fn len(&self) -> usize {
                self.len()
            }

            fn get(&self, name: &str) -> Option<&dyn Wire> {
                self.get(name).map(|value| value as &dyn Wire)
            }

            fn each<'a>(&'a self, visit: &mut dyn FnMut(&'a str, &'a dyn Wire)) {
                for (name, value) in self {
                    visit(name, value);
                }
            }

            fn insert(&mut self, name: String) -> &mut dyn Wire {
                let value = self.entry(name).or_insert(Default::default());
                *value = Default::default();
                value
            }

            fn remove(&mut self, name: &str) {
                self.remove(name);
            }

            fn free_form(&mut self) -> Option<&mut Map> {
                $free_form(self)
            }
        }
    };
}

dictionary!(BTreeMap<String, T>, |_| None, <T: Wire + Default>);
dictionary!(Map, Some,);
