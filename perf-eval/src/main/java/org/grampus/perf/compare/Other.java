package org.grampus.perf.compare;

import java.util.Optional;
import org.grampus.perf.process.Checkout;

/** The server that Grampus is compared with. */
public final class Other {
  /** A stock HBase. */
  public static final Other HBASE = new Other("HBase", Optional.empty(), false);

  private final String title;
  private final Optional<Checkout> checkout;
  private final boolean unobserved;

  private Other(String title, Optional<Checkout> checkout, boolean unobserved) {
    this.title = title;
    this.checkout = checkout;
    this.unobserved = unobserved;
  }

  /** Another state of Grampus. */
  public static Other earlier(Checkout checkout) {
    return new Other("earlier", Optional.of(checkout), false);
  }

  /** The same Grampus, of which the one that is compared is observed. */
  public static Other unobserved(Checkout own) {
    return new Other("unobserved", Optional.of(own), true);
  }

  /** What tables and {@code compare.json} call it. */
  public String title() {
    return title;
  }

  /** What it is started from, if it is a Grampus. */
  Optional<Checkout> checkout() {
    return checkout;
  }

  /** Whether Grampus has a sink of metrics beside it, and its pages are asked for meanwhile. */
  boolean isUnobserved() {
    return unobserved;
  }
}
