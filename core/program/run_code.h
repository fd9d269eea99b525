// What the code between steps does to values, views and tiles. False: the walk ends here, and says why.
#pragma once

#include "core/program/walk_state.h"

namespace ts {

// Numbers: run_numbers.cpp.
bool compute(WalkState& state, const CodeOp& op);
bool load_scalar(WalkState& state, const CodeOp& op);
// False, and told: bytes from `offset` on are none of the buffer's.
bool outside_buffer(WalkState& state, const CodeOp& op, const BufferDecl& buffer, std::int64_t offset,
                    std::uint32_t size);
bool get_element(WalkState& state, const CodeOp& op);
bool add_pointer(WalkState& state, const CodeOp& op);
void cast_pointer(WalkState& state, const CodeOp& op);
void query(WalkState& state, const CodeOp& op);

// Views of global memory: run_views.cpp.
bool make_view(WalkState& state, const CodeOp& op);
bool partition_view(WalkState& state, const CodeOp& op);
bool view_extent(WalkState& state, const CodeOp& op);
bool element_view(WalkState& state, const CodeOp& op);
bool same_extents(WalkState& state, const CodeOp& op);

// Signals of devices, cells in global memory: run_devices.cpp.
bool test_signal(WalkState& state, const CodeOp& op);
// Whether a comparison (`cmp` of kWaitForDevice) holds for every cell; nothing: nobody knows, or the walk ends here.
std::optional<bool> signal_holds(WalkState& state, SourcePos pos, const Value& cells, std::uint8_t cmp,
                                 const Value& number);

// Tiles: run_tiles.cpp.
bool place_tile(WalkState& state, const CodeOp& op);
bool set_valid(WalkState& state, const CodeOp& op);
void get_valid(WalkState& state, const CodeOp& op);
bool pick_tile(WalkState& state, const CodeOp& op);
bool window(WalkState& state, const CodeOp& op);
void alias_tile(WalkState& state, const CodeOp& op);
void pick_register(WalkState& state, const CodeOp& op);
void point_tile(WalkState& state, const CodeOp& op);

// Queues between the cores: run_queues.cpp. False, and `waits`: it is not this core's turn.
void begin_queue(WalkState& state, const CodeOp& op);
bool use_queue(WalkState& state, const CodeOp& op);

// Arrays of the scalar unit: run_arrays.cpp.
void declare_array(WalkState& state, const CodeOp& op);
bool array_get(WalkState& state, const CodeOp& op);
bool array_set(WalkState& state, const CodeOp& op);

}  // namespace ts
