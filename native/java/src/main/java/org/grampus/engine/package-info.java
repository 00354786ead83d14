/**
 * The Java half of the engine boundary: handles, the library loader and the one exception that
 * crosses. No logic lives here; the encodings of requests and replies are in docs/jni.md.
 */
package org.grampus.engine;
