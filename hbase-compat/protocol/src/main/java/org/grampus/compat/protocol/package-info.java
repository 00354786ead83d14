/**
 * HBase's wire format without threads, sockets or engine: frames, connection headers, cell blocks
 * and the KeyValue layout, over {@link io.netty.buffer.ByteBuf}. Nothing here makes an object per
 * cell, except towards clients that want their cells as protobuf messages.
 */
package org.grampus.compat.protocol;
