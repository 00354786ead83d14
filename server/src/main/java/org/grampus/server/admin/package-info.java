/** HBase's AdminService: what the master and administrators ask of a region server. */
package org.grampus.server.admin;
