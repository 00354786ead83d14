package org.grampus.mapreduce.row;

import java.util.List;
import org.grampus.mapreduce.source.RecordShape;

/** Where columns with certain names are in records; looked up once for each shape. One thread. */
final class FieldIndex {
  private final List<String> names;
  private RecordShape shape;
  private int[] places;

  FieldIndex(List<String> names) {
    this.names = names;
  }

  /**
   * The place of each name; -1 for one that a record has not.
   *
   * @throws MissingColumnException when no record of the file can have it
   */
  @SuppressWarnings("ReferenceEquality") // a source keeps one shape for many records
  int[] of(RecordShape ofRecord) throws MissingColumnException {
    if (ofRecord != shape) {
      places = find(ofRecord);
      shape = ofRecord;
    }
    return places;
  }

  private int[] find(RecordShape ofRecord) throws MissingColumnException {
    int[] found = new int[names.size()];
    for (int i = 0; i < found.length; i++) {
      found[i] = ofRecord.names().indexOf(names.get(i));
      if (found[i] < 0 && ofRecord.ofFile()) {
        throw new MissingColumnException(
            "there is no column " + names.get(i) + "; the columns are " + ofRecord.names());
      }
    }
    return found;
  }
}
