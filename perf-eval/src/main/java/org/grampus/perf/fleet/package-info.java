/**
 * Region servers without regions: stubs that register, report and take orders, to see what many
 * servers cost a stock HMaster.
 */
package org.grampus.perf.fleet;
