// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.xds.client.conformance;

import org.jspecify.annotations.NullMarked;
