/** What the server asks of the machine beside files and sockets: clocks, waiting and chance. */
package org.grampus.server.env;
