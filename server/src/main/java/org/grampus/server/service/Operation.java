package org.grampus.server.service;

/** What HBase keeps latencies of; a batch is the mutations of one region of a Multi. */
public enum Operation {
  GET,
  PUT,
  PUT_BATCH,
  DELETE,
  DELETE_BATCH,
  INCREMENT,
  APPEND,
  CHECK_AND_PUT,
  CHECK_AND_DELETE,
  CHECK_AND_MUTATE
}
