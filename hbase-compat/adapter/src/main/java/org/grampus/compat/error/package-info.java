/** Engine errors as the exceptions that HBase clients know. */
package org.grampus.compat.error;
