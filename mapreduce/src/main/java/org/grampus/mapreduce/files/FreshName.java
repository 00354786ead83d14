package org.grampus.mapreduce.files;

import java.util.UUID;

/** Names that no other ones are equal to, of other processes either. Any thread. */
public final class FreshName {
  private FreshName() {}

  /** The next of them, of 32 hexadecimal digits. */
  public static String next() {
    return UUID.randomUUID().toString().replace("-", "");
  }
}
