// SPDX-License-Identifier: Apache-2.0
/**
 * The xDS server: what each stream asked for, was sent and said of it. All on one loop.
 *
 * <p>An {@link dev.holdfast.controlplane.ads.AdsServer} has a {@code AdsStream} for each stream,
 * which has a {@code TypeStream} for each type that was asked for. A type stream knows what its
 * proxy runs and what is wanted; the difference goes out, one response at a time, when the {@code
 * SendOrder} says that what it refers to is there.
 */
@NullMarked
package dev.holdfast.controlplane.ads;

import org.jspecify.annotations.NullMarked;
