package org.grampus.engine;

/**
 * A file or directory that is to be looked at.
 *
 * @param path of a file, or of a directory below which everything is verified
 * @param verify read and check everything
 * @param cells how many cells are listed, null = none
 * @param row list cells of this row only, null = of all
 */
@SuppressWarnings("ArrayRecordComponent") // a row is bytes, and the record is only written
public record InspectRequest(String path, boolean verify, Long cells, byte[] row) {}
