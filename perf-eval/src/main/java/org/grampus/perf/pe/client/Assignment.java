package org.grampus.perf.pe.client;

import org.grampus.perf.pe.option.PeOptions;
import org.grampus.perf.pe.option.RowPlan;
import org.grampus.perf.pe.option.Share;

/**
 * What a client was to do.
 *
 * @param client its number, from 0
 * @param share its rows in a cycle
 * @param operations of all cycles
 */
public record Assignment(int client, Share share, long operations) {
  /** That of a client of a run. */
  public static Assignment of(PeOptions options, int client) {
    Share share = RowPlan.of(options).share(client);
    long operations = ClientRows.sample(options).count(share.rows()) * options.rows().cycles();
    return new Assignment(client, share, operations);
  }
}
