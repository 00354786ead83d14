/**
 * HBase's requests in the engine's words (docs/jni.md): one class per operation and per filter, no
 * threads and no engine calls.
 */
package org.grampus.compat;
