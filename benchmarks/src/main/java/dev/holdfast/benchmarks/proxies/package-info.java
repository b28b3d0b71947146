// SPDX-License-Identifier: Apache-2.0
/** Proxies that do nothing but answer, so that the server is what is measured. */
@NullMarked
package dev.holdfast.benchmarks.proxies;

import org.jspecify.annotations.NullMarked;
