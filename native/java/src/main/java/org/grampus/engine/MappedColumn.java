package org.grampus.engine;

/** A column of a table that a mapping reads. */
@SuppressWarnings("ArrayRecordComponent") // names are bytes, and these records are not compared
public record MappedColumn(byte[] family, byte[] qualifier) {}
