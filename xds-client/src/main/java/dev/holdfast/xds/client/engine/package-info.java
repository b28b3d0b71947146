// SPDX-License-Identifier: Apache-2.0
/**
 * The engine. Decisions (cache transitions, what a watcher is to be told, what a request says) are
 * pure functions; the classes that hold state run on one loop and carry the decisions out.
 */
@NullMarked
package dev.holdfast.xds.client.engine;

import org.jspecify.annotations.NullMarked;
