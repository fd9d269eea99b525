// Operations on views, pointers and tile objects, of synchronisation, and of queues between cores.
#include "core/text/ops/op_rows.h"

namespace ts::text {
namespace {

using enum OpGroup;
using enum OpKind;

// clang-format off
constexpr OpRow kViewRows[] = {
    as(MakeView, {"pto.make_tensor_view", View, "!", "Describes a buffer of global memory: shape and strides, in elements."}),
    as(PartitionView, {"pto.partition_view", View, "!", "A window of a view: offsets and sizes, in elements."}),
    as(PartitionView, {"pto.subview", View, "!", "A window of a view: offsets and sizes, in elements.", "pto.partition_view"}),
    {"pto.get_tensor_view_dim", View, "view:TV dim:I -> extent:I", "The extent of one dimension of a view."},
    {"pto.get_tensor_view_stride", View, "view:TV dim:I -> stride:I", "The stride of one dimension of a view, in elements."},
    {"pto.tensor_view_addr", View, "view:TV -> ptr:P", "A pointer to a view's first element."},
    as(AllocTile, {"pto.alloc_tile", View, "!", "Makes a tile: its address if given, and the sizes of its valid region where the type has `?`."}),
    as(SetValidShape, {"pto.set_validshape", View, "tile:T rows:I cols:I", "Changes the valid region of a tile; no byte moves."}),
    as(Subset, {"pto.subset", View, "!", "A window of a tile that shares its bytes: offsets and sizes."}),
    as(AliasTile, {"pto.bitcast", View, "src:T -> dst:T", "The same bytes as a tile of another element type."}),
    {"pto.tile_buf_addr", View, "tile:T -> ptr:P", "A pointer to a tile's first byte."},
    {"pto.declare_tile", View, "-> tile:T", "A tile without storage, which tpop binds to a slot of a queue."},
    {"pto.bind_tile", View, "src:? rows:I? cols:I? -> dst:?", "Gives a memref a tile's layout.", "pto.alloc_tile"},
    {"pto.pointer_cast", View, "!", "A memref at an address.", "pto.alloc_tile"},
    as(AddPointer, {"pto.addptr", View, "ptr:P offset:I -> dst:P", "Moves a pointer on by a number of elements."}),
    as(CastPointer, {"pto.castptr", View, "src:? -> dst:?", "Makes a pointer from an address, an address from a pointer, or changes its element type."}),
    as(LoadScalar, {"pto.load_scalar", View, "src:X -> value:S", "Reads one element through a pointer."}),
    {"pto.store_scalar", View, "value:S dst:X", "Writes one element through a pointer."},
    {"pto.load", View, "src:X -> value:S", "Reads one element through a pointer.", "pto.load_scalar"},
    {"pto.store", View, "value:S dst:X", "Writes one element through a pointer.", "pto.store_scalar"},

    as(SetFlag, {"pto.set_flag", Sync, "!", "Raises an event from one pipe to another: [from, to, event]."}),
    as(WaitFlag, {"pto.wait_flag", Sync, "!", "Makes a pipe wait for an event of another: [from, to, event]."}),
    as(SetFlag, {"pto.set_flag_dyn", Sync, "!", "Raises an event whose number is a value: [from, to, %event]."}),
    as(WaitFlag, {"pto.wait_flag_dyn", Sync, "!", "Waits for an event whose number is a value: [from, to, %event]."}),
    as(RecordEvent, {"pto.record_event", Sync, "!", "Raises an event between two kinds of operations: [from, to, event]."}),
    as(WaitEvent, {"pto.wait_event", Sync, "!", "Waits for an event between two kinds of operations: [from, to, event]."}),
    as(Barrier, {"pto.barrier", Sync, "pipe:N", "Lets earlier work of a pipe finish before later work begins."}),
    as(Barrier, {"pto.pipe_barrier", Sync, "pipe:N", "Lets earlier work of a pipe finish before later work begins.", "pto.barrier"}),
    as(Barrier, {"pto.barrier_sync", Sync, "!", "A barrier on the pipe of a kind of operations.", "pto.barrier"}),
    {"pto.tsync", Sync, "events:E*", "Waits for the events of other operations."},
    {"pto.get_buf", Sync, "!", "Takes a buffer number for a pipe, once its earlier users gave it back.", {}, "a5"},
    {"pto.rls_buf", Sync, "!", "Gives a buffer number back when a pipe is done with it.", {}, "a5"},
    {"pto.sync.set", Sync, "pipe:N id:I", "Signals the other core of the cluster once a pipe's earlier work is done."},
    {"pto.sync.wait", Sync, "pipe:N id:I", "Makes a pipe wait for a signal of the other core."},
    {"pto.set_ffts", Sync, "base:?", "Tells where the flags between cores lie.", {}, "a2a3"},
    {"pto.set_cross_core", Sync, "core:I event:I", "Signals other cores.", {}, "a2a3"},
    {"pto.wait_flag_dev", Sync, "event:I", "Makes the whole core wait for a signal of other cores.", {}, "a2a3"},
    {"pto.set_intra_block", Sync, "pipe:I id:I", "Signals the other core of the cluster once a pipe's earlier work is done.", {}, "a5"},
    {"pto.wait_intra_core", Sync, "pipe:I id:I", "Makes a pipe wait for a signal of the other core.", {}, "a5"},
    {"pto.wait_intra_block", Sync, "pipe:I id:I", "Makes a pipe wait for a signal of the other core.", {}, "a5"},
    {"pto.declare_eventid_array", Sync, "-> events:?", "An array of event numbers."},
    {"pto.eventid_array_get", Sync, "events:X -> event:I", "Reads an event number."},
    {"pto.eventid_array_set", Sync, "events:X event:I", "Writes an event number."},
    as(CubeSection, {"pto.section.cube", Sync, "!", "A region that only the cube core runs."}),
    as(VectorSection, {"pto.section.vector", Sync, "!", "A region that only the vector cores run."}),
    as(BlockIndex, {"pto.get_block_idx", Sync, "-> index:I", "The number of this block."}),
    as(BlockCount, {"pto.get_block_num", Sync, "-> count:I", "How many blocks run."}),
    as(SubblockIndex, {"pto.get_subblock_idx", Sync, "-> index:I", "The number of this vector core in its block."}),
    as(SubblockCount, {"pto.get_subblock_num", Sync, "-> count:I", "How many vector cores the block has."}),
    {"pto.print", Sync, "format:N value:S", "Prints a value; changes nothing."},
    {"pto.trap", Sync, "", "Stops the program with an error."},

    as(ReserveBuffer, {"pto.reserve_buffer", Fifo, "-> address:I", "Reserves the storage of a queue on its consumer."}),
    {"pto.import_reserved_buffer", Fifo, "-> address:I", "The address of a queue's storage, on its producer."},
    {"pto.aic_initialize_pipe", Fifo, "!", "Sets up the cube core's end of a queue."},
    {"pto.aiv_initialize_pipe", Fifo, "!", "Sets up the vector core's end of a queue."},
    {"pto.tpush_to_aiv", Fifo, "(tile:T)", "Puts a tile into the queue from cube to vector."},
    as(PushToCube, {"pto.tpush_to_aic", Fifo, "(tile:T)", "Puts a tile into the queue from vector to cube."}),
    as(PopFromCube, {"pto.tpop_from_aic", Fifo, "(valid_row:I valid_col:I)? -> tile:T", "Takes the next tile of the queue from cube to vector."}),
    as(PopFromVector, {"pto.tpop_from_aiv", Fifo, "(valid_row:I valid_col:I)? -> tile:T", "Takes the next tile of the queue from vector to cube."}),
    as(FreeFromCube, {"pto.tfree_from_aic", Fifo, "", "Gives the oldest slot of the queue from cube to vector back."}),
    {"pto.tfree_from_aiv", Fifo, "", "Gives the oldest slot of the queue from vector to cube back."},
    {"pto.initialize_l2l_pipe", Fifo, "(local:I peer:I?) -> pipe:?", "A queue from one core's memory to the other's.", {}, "a5"},
    {"pto.initialize_l2g2l_pipe", Fifo, "(slots:? local:I? peer:I?) -> pipe:?",
     "A queue between cores by way of global memory.", {}, "a2a3"},
    {"pto.tpush", Fifo, "(tile:T pipe:?)", "Puts a tile into a queue."},
    {"pto.tpop", Fifo, "(tile:T pipe:?)", "Binds a tile to the next slot of a queue."},
    {"pto.tfree", Fifo, "(pipe:?)", "Gives the oldest slot of a queue back."},
    {"pto.build_async_session", Fifo, "(scratch:T workspace:?) -> session:?", "Prepares copies to and from other devices."},
    {"pto.tput_async", Fifo, "(dst:? src:? session:?) -> event:E", "Begins a copy to another device."},
    {"pto.tget_async", Fifo, "(dst:? src:? session:?) -> event:E", "Begins a copy from another device."},
    {"pto.wait_async_event", Fifo, "(event:E session:?) -> done:I", "Waits until a copy is done."},
    {"pto.test_async_event", Fifo, "(event:E session:?) -> done:I", "Tells whether a copy is done."},
};
// clang-format on

}  // namespace

std::span<const OpRow> view_op_rows() { return kViewRows; }

}  // namespace ts::text
