/** What the server asks of the machine: clocks, waiting, chance, and file systems of its own. */
package org.grampus.server.env;
