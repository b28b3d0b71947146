// SPDX-License-Identifier: Apache-2.0
/** Routes, virtual hosts and what filters are told about them. */
@NullMarked
package dev.holdfast.controlplane.translate.proto.route;

import org.jspecify.annotations.NullMarked;
