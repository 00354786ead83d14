//! FilterList: all filters, or at least one of them.

mod all;
mod any;
mod place;

pub(crate) use self::all::AllFilters;
pub(crate) use self::any::AnyFilter;
use super::ValueForm;

fn stronger_form(left: ValueForm, right: ValueForm) -> ValueForm {
    match (left, right) {
        // Of two transformations the later one sees what the earlier one left.
        (left, ValueForm::Whole) => left,
        (_, right) => right,
    }
}
