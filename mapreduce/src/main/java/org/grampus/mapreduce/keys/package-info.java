/** The names of the keys by which jobs say what they want; uses no other package of the jobs. */
package org.grampus.mapreduce.keys;
