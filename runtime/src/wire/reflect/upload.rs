//! Uploads as properties of forms.

use crate::wire::reflect::wire::{Target, View, Wire};
use crate::wire::upload::Upload;
use crate::wire::upload::source::BodyPart;

impl Wire for Upload {
    /// JSON has it as text.
    fn target(&mut self) -> Target<'_> {
        *self = Self::from(String::new());
        match &mut self.source {
            BodyPart::Text(text) => Target::String(text),
            _ => Target::Object,
        }
    }

    fn view(&self) -> View<'_> {
        View::Upload(self)
    }

    fn clear(&mut self) {
        *self = Self::default();
    }
}

crate::__serde!(Upload);
