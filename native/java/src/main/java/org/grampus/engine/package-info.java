/**
 * The Java half of the engine boundary: handles, the library loader, the one exception that
 * crosses, records for what crosses as JSON, and a class for the layout of each reply. No logic
 * lives here; docs/jni.md has the encodings of requests and replies.
 */
package org.grampus.engine;
