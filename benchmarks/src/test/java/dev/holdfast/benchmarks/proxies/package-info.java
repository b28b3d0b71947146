// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.benchmarks.proxies;

import org.jspecify.annotations.NullMarked;
