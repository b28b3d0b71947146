// SPDX-License-Identifier: Apache-2.0
/** Service and EndpointSlice of the Kubernetes API. */
@NullMarked
package dev.holdfast.controlplane.objects.service;

import org.jspecify.annotations.NullMarked;
