/** Commands for operators of a cluster, which are clients of it. */
package org.grampus.server.operator;
