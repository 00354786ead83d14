/** Files of Hadoop's file systems as the engine reads them. */
package org.grampus.compat.files;
