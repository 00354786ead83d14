package org.grampus.perf.pe.client;

import org.grampus.perf.pe.option.Share;

/**
 * What a client was to do.
 *
 * @param client its number, from 0
 * @param share its rows in a cycle
 * @param operations of all cycles
 */
public record Assignment(int client, Share share, long operations) {}
