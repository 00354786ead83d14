package org.grampus.compat.protocol;

import java.io.IOException;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;

/** A field that the reader of a message written by hand does not know. */
public final class UnknownField {
  private UnknownField() {}

  /**
   * Passes over the field whose tag was read.
   *
   * @throws IOException when its value is none, or it ends a group that has not begun
   */
  public static void skip(CodedInputStream in, int tag) throws IOException {
    if (!in.skipField(tag)) {
      in.checkLastTagWas(0); // throws: generated parsers end here, and so does MessageShape
    }
  }
}
