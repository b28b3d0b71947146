// SPDX-License-Identifier: Apache-2.0
/** HTTPProxy of Contour's API: a virtual host, or a part of one. */
@NullMarked
package dev.holdfast.controlplane.objects.httpproxy;

import org.jspecify.annotations.NullMarked;
