package org.grampus.engine;

import java.util.List;

/**
 * The columns of a family that files have.
 *
 * @param qualifiers ascending
 * @param complete whether these are all: if not, there are more than were asked for
 */
@SuppressWarnings("ArrayRecordComponent") // names are bytes, and these records are not compared
public record FamilyColumns(byte[] family, List<byte[]> qualifiers, boolean complete) {}
