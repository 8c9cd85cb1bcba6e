//! Child rows and their owners. Shared rows would let a small file make a reader go through a huge one.

use openmind_pack_format::SectionKind;

use crate::forgery::{assert_refused, at_row, unexpected};
use crate::sample;

/// Lets an owner begin one row early: at the last row of the owner before.
#[track_caller]
fn shares(owners: SectionKind, owner: u32, field: &str, what: &'static str) {
    let forged = sample().add(owners, owner, field, -1);
    let first = u64::from(forged.get(owners, owner, field));
    let bundle = forged.open().unwrap();
    assert_refused(bundle.verify_deep(), at_row(&forged, owners, owner), unexpected(what, first, first + 1));
}

/// Takes the last row away from the last owner.
#[track_caller]
fn leaves_over(owners: SectionKind, field: &str, children: SectionKind) {
    let forged = sample();
    let rows = forged.rows(children);
    let last = (0..forged.rows(owners)).rev().find(|owner| forged.get(owners, *owner, field) > 0).unwrap();
    // Owners behind it begin where it ends.
    let mut forged = forged.add(owners, last, field, -1);
    for owner in last + 1..forged.rows(owners) {
        forged = forged.add(owners, owner, &field.replace("count", "first"), -1);
    }
    let problem = unexpected("number of rows that have an owner", rows.into(), u64::from(rows) - 1);
    let bundle = forged.open().unwrap();
    assert_refused(bundle.verify_deep(), at_row(&forged, children, 0), problem);
}

#[test]
fn two_terms_with_one_cited_line() {
    shares(SectionKind::Glossary, 1, "evidence_first", "first evidence row");
}

#[test]
fn a_component_with_a_line_of_a_term() {
    shares(SectionKind::Components, 0, "evidence_first", "first evidence row");
}

#[test]
fn a_layer_with_a_line_of_a_component() {
    shares(SectionKind::Layers, 0, "evidence_first", "first evidence row");
}

#[test]
fn two_steps_with_one_cited_line() {
    shares(SectionKind::Steps, 2, "evidence_first", "first evidence row");
}

#[test]
fn a_cited_line_of_nobody() {
    leaves_over(SectionKind::Steps, "evidence_count", SectionKind::Evidence);
}

#[test]
fn two_components_with_one_responsibility() {
    shares(SectionKind::Components, 1, "responsibilities_first", "first row of a list");
}

#[test]
fn two_layers_with_one_file() {
    shares(SectionKind::Layers, 1, "files_first", "first row of a list");
}

#[test]
fn a_list_entry_of_nobody() {
    leaves_over(SectionKind::Layers, "files_count", SectionKind::StringLists);
}

#[test]
fn two_components_with_one_role() {
    let owner = (1..sample().rows(SectionKind::Components))
        .find(|owner| sample().get(SectionKind::Components, *owner, "roles_first") > 0)
        .unwrap();
    shares(SectionKind::Components, owner, "roles_first", "first role row");
}

#[test]
fn a_role_of_nobody() {
    leaves_over(SectionKind::Components, "roles_count", SectionKind::Roles);
}

#[test]
fn two_flows_with_one_step() {
    shares(SectionKind::Flows, 1, "steps_first", "first step row");
}

#[test]
fn a_step_of_no_flow() {
    leaves_over(SectionKind::Flows, "steps_count", SectionKind::Steps);
}

#[test]
fn two_flows_with_one_facet() {
    // The last flow has all facets; the first one takes one of them as well.
    assert_eq!(sample().get(SectionKind::Flows, 3, "facets_first"), 0);
    let forged = sample().set(SectionKind::Flows, 0, "facets_count", 1);
    let problem = unexpected("first facet row", 0, 1);
    let bundle = forged.open().unwrap();
    assert_refused(bundle.verify_deep(), at_row(&forged, SectionKind::Flows, 1), problem);
}

#[test]
fn a_facet_of_no_flow() {
    leaves_over(SectionKind::Flows, "facets_count", SectionKind::Facets);
}

#[test]
fn two_facets_with_one_value() {
    shares(SectionKind::Facets, 1, "values_first", "first value row");
}

#[test]
fn a_value_of_no_facet() {
    leaves_over(SectionKind::Facets, "values_count", SectionKind::FacetValues);
}

#[test]
fn two_originals_with_one_frame() {
    shares(SectionKind::Artifacts, 1, "frames_first", "first frame row");
}

#[test]
fn a_frame_of_no_original() {
    leaves_over(SectionKind::Artifacts, "frames_count", SectionKind::Frames);
}

#[test]
fn an_owner_whose_range_wraps_round() {
    let owner = sample().rows(SectionKind::Flows) - 1;
    let forged = sample().set(SectionKind::Flows, owner, "steps_count", u32::MAX);
    let first = u64::from(forged.get(SectionKind::Flows, owner, "steps_first"));
    let problem =
        crate::forgery::too_large("end of a row range", first + u64::from(u32::MAX), u32::MAX.into());
    let bundle = forged.open().unwrap();
    assert_refused(bundle.verify_deep(), at_row(&forged, SectionKind::Flows, owner), problem);
}
