// SPDX-License-Identifier: Apache-2.0
/** Ingress of the Kubernetes API. */
@NullMarked
package dev.holdfast.controlplane.objects.ingress;

import org.jspecify.annotations.NullMarked;
