/**
 * Clients that mean harm, one class for each way to do it, beside one that does its work: what they
 * cost it, and whether the server is afterwards what it was before.
 */
package org.grampus.compat.suite.hostile;
