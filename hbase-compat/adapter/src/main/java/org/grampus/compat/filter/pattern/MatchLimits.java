package org.grampus.compat.filter.pattern;

import java.util.function.BooleanSupplier;

/**
 * When a search is given up.
 *
 * @param millis time that one pattern may take for one value
 * @param abandoned whether the client whose call the calling thread runs has stopped waiting
 */
public record MatchLimits(long millis, BooleanSupplier abandoned) {}
