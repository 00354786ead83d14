/**
 * What a job wants of its scan, from the places where it may say so, in one order of precedence.
 */
package org.grampus.mapreduce.settings;
