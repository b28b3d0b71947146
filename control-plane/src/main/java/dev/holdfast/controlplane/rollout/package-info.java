// SPDX-License-Identifier: Apache-2.0
/**
 * Which generation of each object proxies may see. Changes are tried out on one proxy of each
 * class; what those accept becomes the baseline, which everybody else is served. When one of them
 * refuses, the search finds the object to blame, which stays at its last good generation while the
 * others go on. Selections of objects, never patches of bytes. All on one loop.
 */
@NullMarked
package dev.holdfast.controlplane.rollout;

import org.jspecify.annotations.NullMarked;
