// Looking at pages: whether their markup is whole, and whether they reach for anything outside of themselves.
#pragma once

#include <string>
#include <string_view>

namespace ts::test {

// Every tag is closed in its order, attributes are quoted and there once, `<` and `&` stand for nothing else. Empty: it
// is so; else what is wrong, and where.
std::string markup_error(std::string_view page);
// A script, a link, or anything that would be fetched. Empty: there is none.
std::string outside_reference(std::string_view page);
// What a reader sees: without tags, styles and entities.
std::string text_of(std::string_view page);

}  // namespace ts::test
