// SPDX-License-Identifier: Apache-2.0
/** Where the API server is and how Holdfast identifies itself: kubeconfig files and pods. */
@NullMarked
package dev.holdfast.kubernetes.access;

import org.jspecify.annotations.NullMarked;
