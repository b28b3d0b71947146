// SPDX-License-Identifier: Apache-2.0
/**
 * Holdfast on a real Kubernetes API server, with real Envoys in front of backends that have the
 * addresses of pods. These tests run in a network namespace of their own.
 */
@NullMarked
package dev.holdfast.interop.kubernetes.pods;

import org.jspecify.annotations.NullMarked;
