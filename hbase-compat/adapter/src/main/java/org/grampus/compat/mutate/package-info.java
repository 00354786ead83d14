/** Mutations, row mutations and conditions as the engine's mutation batch. */
package org.grampus.compat.mutate;
