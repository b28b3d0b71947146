// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.xds.resources.filter;

import org.jspecify.annotations.NullMarked;
