// SPDX-License-Identifier: Apache-2.0
/** Holdfast and Contour beside each other, in one Kubernetes cluster, each with an Envoy. */
@NullMarked
package dev.holdfast.benchmarks.kubernetes;

import org.jspecify.annotations.NullMarked;
