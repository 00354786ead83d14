package org.grampus.engine;

/**
 * A column file that is written outside of any region: {@code open} of {@link NativeColumnFile}.
 *
 * @param family whose name and attributes the file has
 * @param createdMillis what the file says of its age
 */
public record ColumnFileRequest(FamilyDescription family, long createdMillis) {}
